(define (problem strange_5)
(:domain alfred)
(:objects
    agent1 - agent
    loc_bar_minus_0_bar_5 - location
    loc_bar_1_bar_1 - location
    loc_bar_minus_2_bar_1 - location
    Cabinet_bar__minus_96_dot_39_bar__plus_96_dot_59 - receptacle
    Sink_bar__minus_56_dot_96_bar__plus_55_dot_27_bar_SinkBasin - receptacle
    CounterTop_bar__minus_83_dot_20_bar__minus_47_dot_28 - receptacle
    Fridge_bar__plus_96_dot_80_bar__minus_80_dot_10 - receptacle
    DeskLamp_bar__minus_71_dot_16_bar__minus_25_dot_08 - object
    Egg_bar__plus_90_dot_80_bar__plus_60_dot_76 - object
    Bread_bar__minus_13_dot_08_bar__plus_60_dot_12 - object
    Mug_bar__plus_43_dot_72_bar__minus_85_dot_67 - object
    Knife_bar__plus_77_dot_08_bar__minus_54_dot_21 - object
    BreadType - otype
    DeskLampType - otype
    EggType - otype
    KnifeType - otype
    MugType - otype
    CabinetType - rtype
    CounterTopType - rtype
    FridgeType - rtype
    SinkBasinType - rtype
    Window - object)
(:init
    (atLocation agent1 loc_bar_minus_2_bar_1)
    (canContain CabinetType BreadType)
    (canContain CabinetType KnifeType)
    (canContain CabinetType MugType)
    (canContain CounterTopType BreadType)
    (canContain CounterTopType DeskLampType)
    (canContain CounterTopType EggType)
    (canContain CounterTopType KnifeType)
    (canContain CounterTopType MugType)
    (canContain FridgeType BreadType)
    (canContain FridgeType MugType)
    (canContain SinkBasinType DeskLampType)
    (canContain SinkBasinType EggType)
    (canContain SinkBasinType KnifeType)
    (canContain SinkBasinType MugType)
    (receptacleAtLocation Cabinet_bar__minus_96_dot_39_bar__plus_96_dot_59 loc_bar_1_bar_1)
    (receptacleType Cabinet_bar__minus_96_dot_39_bar__plus_96_dot_59 CabinetType)
    (openable Cabinet_bar__minus_96_dot_39_bar__plus_96_dot_59)
    (receptacleAtLocation Sink_bar__minus_56_dot_96_bar__plus_55_dot_27_bar_SinkBasin loc_bar_1_bar_1)
    (receptacleType Sink_bar__minus_56_dot_96_bar__plus_55_dot_27_bar_SinkBasin SinkBasinType)
    (receptacleAtLocation CounterTop_bar__minus_83_dot_20_bar__minus_47_dot_28 loc_bar_1_bar_1)
    (receptacleType CounterTop_bar__minus_83_dot_20_bar__minus_47_dot_28 CounterTopType)
    (receptacleAtLocation Fridge_bar__plus_96_dot_80_bar__minus_80_dot_10 loc_bar_minus_0_bar_5)
    (openable Fridge_bar__plus_96_dot_80_bar__minus_80_dot_10)
    (objectType DeskLamp_bar__minus_71_dot_16_bar__minus_25_dot_08 DeskLampType)
    (inReceptacle DeskLamp_bar__minus_71_dot_16_bar__minus_25_dot_08 Cabinet_bar__minus_96_dot_39_bar__plus_96_dot_59)
    (objectAtLocation DeskLamp_bar__minus_71_dot_16_bar__minus_25_dot_08 loc_bar_minus_0_bar_5)
    (objectAtLocation DeskLamp_bar__minus_71_dot_16_bar__minus_25_dot_08 loc_bar_1_bar_1)
    (pickupable DeskLamp_bar__minus_71_dot_16_bar__minus_25_dot_08)
    (cleanable DeskLamp_bar__minus_71_dot_16_bar__minus_25_dot_08)
    (heatable DeskLamp_bar__minus_71_dot_16_bar__minus_25_dot_08)
    (coolable DeskLamp_bar__minus_71_dot_16_bar__minus_25_dot_08)
    (objectType Egg_bar__plus_90_dot_80_bar__plus_60_dot_76 EggType)
    (inReceptacle Egg_bar__plus_90_dot_80_bar__plus_60_dot_76 Cabinet_bar__minus_96_dot_39_bar__plus_96_dot_59)
    (objectAtLocation Egg_bar__plus_90_dot_80_bar__plus_60_dot_76 loc_bar_minus_0_bar_5)
    (pickupable Egg_bar__plus_90_dot_80_bar__plus_60_dot_76)
    (cleanable Egg_bar__plus_90_dot_80_bar__plus_60_dot_76)
    (sliceable Egg_bar__plus_90_dot_80_bar__plus_60_dot_76)
    (isHot Egg_bar__plus_90_dot_80_bar__plus_60_dot_76)
    (objectType Bread_bar__minus_13_dot_08_bar__plus_60_dot_12 BreadType)
    (inReceptacle Bread_bar__minus_13_dot_08_bar__plus_60_dot_12 Sink_bar__minus_56_dot_96_bar__plus_55_dot_27_bar_SinkBasin)
    (inReceptacle Bread_bar__minus_13_dot_08_bar__plus_60_dot_12 CounterTop_bar__minus_83_dot_20_bar__minus_47_dot_28)
    (inReceptacle Bread_bar__minus_13_dot_08_bar__plus_60_dot_12 Cabinet_bar__minus_96_dot_39_bar__plus_96_dot_59)
    (objectAtLocation Bread_bar__minus_13_dot_08_bar__plus_60_dot_12 loc_bar_1_bar_1)
    (pickupable Bread_bar__minus_13_dot_08_bar__plus_60_dot_12)
    (cleanable Bread_bar__minus_13_dot_08_bar__plus_60_dot_12)
    (coolable Bread_bar__minus_13_dot_08_bar__plus_60_dot_12)
    (sliceable Bread_bar__minus_13_dot_08_bar__plus_60_dot_12)
    (isSliced Bread_bar__minus_13_dot_08_bar__plus_60_dot_12)
    (objectType Mug_bar__plus_43_dot_72_bar__minus_85_dot_67 MugType)
    (inReceptacle Mug_bar__plus_43_dot_72_bar__minus_85_dot_67 CounterTop_bar__minus_83_dot_20_bar__minus_47_dot_28)
    (objectAtLocation Mug_bar__plus_43_dot_72_bar__minus_85_dot_67 loc_bar_minus_2_bar_1)
    (objectAtLocation Mug_bar__plus_43_dot_72_bar__minus_85_dot_67 loc_bar_1_bar_1)
    (pickupable Mug_bar__plus_43_dot_72_bar__minus_85_dot_67)
    (coolable Mug_bar__plus_43_dot_72_bar__minus_85_dot_67)
    (toggleable Mug_bar__plus_43_dot_72_bar__minus_85_dot_67)
    (isClean Mug_bar__plus_43_dot_72_bar__minus_85_dot_67)
    (isCool Mug_bar__plus_43_dot_72_bar__minus_85_dot_67)
    (objectType Knife_bar__plus_77_dot_08_bar__minus_54_dot_21 KnifeType)
    (inReceptacle Knife_bar__plus_77_dot_08_bar__minus_54_dot_21 Cabinet_bar__minus_96_dot_39_bar__plus_96_dot_59)
    (objectAtLocation Knife_bar__plus_77_dot_08_bar__minus_54_dot_21 loc_bar_minus_2_bar_1)
    (objectAtLocation Knife_bar__plus_77_dot_08_bar__minus_54_dot_21 loc_bar_minus_0_bar_5)
    (pickupable Knife_bar__plus_77_dot_08_bar__minus_54_dot_21)
    (cleanable Knife_bar__plus_77_dot_08_bar__minus_54_dot_21)
    (heatable Knife_bar__plus_77_dot_08_bar__minus_54_dot_21)
    (sliceable Knife_bar__plus_77_dot_08_bar__minus_54_dot_21))
(:goal (and (exists (?r - receptacle) (exists (?o - object) (and (inReceptacle ?o ?r) (objectType ?o BreadType) (receptacleType ?r CounterTopType) (isClean ?o)))))))
