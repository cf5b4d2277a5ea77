(define (problem strange_5)
(:domain alfred)
(:objects
    agent1 - agent
    loc_bar_minus_0_bar_2 - location
    loc_bar_minus_1_bar_3 - location
    CounterTop_bar__plus_88_dot_27_bar__plus_46_dot_28 - receptacle
    Cabinet_bar__minus_77_dot_04_bar__plus_39_dot_93 - receptacle
    Bathtub_bar__plus_89_dot_23_bar__minus_84_dot_40_bar_BathtubBasin - receptacle
    Box_bar__plus_20_dot_20_bar__plus_46_dot_33 - object
    DeskLamp_bar__plus_65_dot_97_bar__plus_07_dot_95 - object
    Apple_bar__minus_75_dot_52_bar__plus_17_dot_31 - object
    Bowl_bar__plus_41_dot_72_bar__plus_30_dot_34 - object
    Egg_bar__plus_59_dot_76_bar__plus_27_dot_82 - object
    Mug_bar__plus_27_dot_60_bar__plus_96_dot_58 - object
    AppleType - otype
    BowlType - otype
    BoxType - otype
    DeskLampType - otype
    EggType - otype
    MugType - otype
    BathtubBasinType - rtype
    CabinetType - rtype
    CounterTopType - rtype
    Window - object)
(:init
    (atLocation agent1 loc_bar_minus_0_bar_2)
    (canContain BathtubBasinType AppleType)
    (canContain BathtubBasinType BowlType)
    (canContain BathtubBasinType BoxType)
    (canContain BathtubBasinType DeskLampType)
    (canContain BathtubBasinType EggType)
    (canContain BathtubBasinType MugType)
    (canContain CabinetType BowlType)
    (canContain CabinetType BoxType)
    (canContain CabinetType DeskLampType)
    (canContain CabinetType EggType)
    (canContain CabinetType MugType)
    (canContain CounterTopType BowlType)
    (canContain CounterTopType BoxType)
    (canContain CounterTopType EggType)
    (canContain CounterTopType MugType)
    (receptacleAtLocation CounterTop_bar__plus_88_dot_27_bar__plus_46_dot_28 loc_bar_minus_0_bar_2)
    (receptacleType CounterTop_bar__plus_88_dot_27_bar__plus_46_dot_28 CounterTopType)
    (receptacleAtLocation Cabinet_bar__minus_77_dot_04_bar__plus_39_dot_93 loc_bar_minus_1_bar_3)
    (receptacleType Cabinet_bar__minus_77_dot_04_bar__plus_39_dot_93 CabinetType)
    (openable Cabinet_bar__minus_77_dot_04_bar__plus_39_dot_93)
    (receptacleAtLocation Bathtub_bar__plus_89_dot_23_bar__minus_84_dot_40_bar_BathtubBasin loc_bar_minus_1_bar_3)
    (receptacleType Bathtub_bar__plus_89_dot_23_bar__minus_84_dot_40_bar_BathtubBasin BathtubBasinType)
    (objectType Box_bar__plus_20_dot_20_bar__plus_46_dot_33 BoxType)
    (objectAtLocation Box_bar__plus_20_dot_20_bar__plus_46_dot_33 loc_bar_minus_0_bar_2)
    (objectAtLocation Box_bar__plus_20_dot_20_bar__plus_46_dot_33 loc_bar_minus_1_bar_3)
    (pickupable Box_bar__plus_20_dot_20_bar__plus_46_dot_33)
    (cleanable Box_bar__plus_20_dot_20_bar__plus_46_dot_33)
    (heatable Box_bar__plus_20_dot_20_bar__plus_46_dot_33)
    (coolable Box_bar__plus_20_dot_20_bar__plus_46_dot_33)
    (sliceable Box_bar__plus_20_dot_20_bar__plus_46_dot_33)
    (isReceptacleObject Box_bar__plus_20_dot_20_bar__plus_46_dot_33)
    (inReceptacleObject DeskLamp_bar__plus_65_dot_97_bar__plus_07_dot_95 Box_bar__plus_20_dot_20_bar__plus_46_dot_33)
    (inReceptacleObject Mug_bar__plus_27_dot_60_bar__plus_96_dot_58 Box_bar__plus_20_dot_20_bar__plus_46_dot_33)
    (inReceptacleObject Box_bar__plus_20_dot_20_bar__plus_46_dot_33 Box_bar__plus_20_dot_20_bar__plus_46_dot_33)
    (objectType DeskLamp_bar__plus_65_dot_97_bar__plus_07_dot_95 DeskLampType)
    (inReceptacle DeskLamp_bar__plus_65_dot_97_bar__plus_07_dot_95 CounterTop_bar__plus_88_dot_27_bar__plus_46_dot_28)
    (pickupable DeskLamp_bar__plus_65_dot_97_bar__plus_07_dot_95)
    (cleanable DeskLamp_bar__plus_65_dot_97_bar__plus_07_dot_95)
    (heatable DeskLamp_bar__plus_65_dot_97_bar__plus_07_dot_95)
    (sliceable DeskLamp_bar__plus_65_dot_97_bar__plus_07_dot_95)
    (isClean DeskLamp_bar__plus_65_dot_97_bar__plus_07_dot_95)
    (objectType Apple_bar__minus_75_dot_52_bar__plus_17_dot_31 AppleType)
    (inReceptacle Apple_bar__minus_75_dot_52_bar__plus_17_dot_31 Cabinet_bar__minus_77_dot_04_bar__plus_39_dot_93)
    (objectAtLocation Apple_bar__minus_75_dot_52_bar__plus_17_dot_31 loc_bar_minus_0_bar_2)
    (pickupable Apple_bar__minus_75_dot_52_bar__plus_17_dot_31)
    (cleanable Apple_bar__minus_75_dot_52_bar__plus_17_dot_31)
    (heatable Apple_bar__minus_75_dot_52_bar__plus_17_dot_31)
    (coolable Apple_bar__minus_75_dot_52_bar__plus_17_dot_31)
    (toggleable Apple_bar__minus_75_dot_52_bar__plus_17_dot_31)
    (isHot Apple_bar__minus_75_dot_52_bar__plus_17_dot_31)
    (isSliced Apple_bar__minus_75_dot_52_bar__plus_17_dot_31)
    (objectType Bowl_bar__plus_41_dot_72_bar__plus_30_dot_34 BowlType)
    (inReceptacle Bowl_bar__plus_41_dot_72_bar__plus_30_dot_34 CounterTop_bar__plus_88_dot_27_bar__plus_46_dot_28)
    (objectAtLocation Bowl_bar__plus_41_dot_72_bar__plus_30_dot_34 loc_bar_minus_0_bar_2)
    (pickupable Bowl_bar__plus_41_dot_72_bar__plus_30_dot_34)
    (cleanable Bowl_bar__plus_41_dot_72_bar__plus_30_dot_34)
    (sliceable Bowl_bar__plus_41_dot_72_bar__plus_30_dot_34)
    (isSliced Bowl_bar__plus_41_dot_72_bar__plus_30_dot_34)
    (isReceptacleObject Bowl_bar__plus_41_dot_72_bar__plus_30_dot_34)
    (inReceptacleObject Bowl_bar__plus_41_dot_72_bar__plus_30_dot_34 Bowl_bar__plus_41_dot_72_bar__plus_30_dot_34)
    (inReceptacleObject DeskLamp_bar__plus_65_dot_97_bar__plus_07_dot_95 Bowl_bar__plus_41_dot_72_bar__plus_30_dot_34)
    (objectType Egg_bar__plus_59_dot_76_bar__plus_27_dot_82 EggType)
    (objectAtLocation Egg_bar__plus_59_dot_76_bar__plus_27_dot_82 loc_bar_minus_0_bar_2)
    (pickupable Egg_bar__plus_59_dot_76_bar__plus_27_dot_82)
    (cleanable Egg_bar__plus_59_dot_76_bar__plus_27_dot_82)
    (heatable Egg_bar__plus_59_dot_76_bar__plus_27_dot_82)
    (coolable Egg_bar__plus_59_dot_76_bar__plus_27_dot_82)
    (sliceable Egg_bar__plus_59_dot_76_bar__plus_27_dot_82)
    (toggleable Egg_bar__plus_59_dot_76_bar__plus_27_dot_82)
    (objectType Mug_bar__plus_27_dot_60_bar__plus_96_dot_58 MugType)
    (inReceptacle Mug_bar__plus_27_dot_60_bar__plus_96_dot_58 Cabinet_bar__minus_77_dot_04_bar__plus_39_dot_93)
    (objectAtLocation Mug_bar__plus_27_dot_60_bar__plus_96_dot_58 loc_bar_minus_1_bar_3)
    (pickupable Mug_bar__plus_27_dot_60_bar__plus_96_dot_58)
    (cleanable Mug_bar__plus_27_dot_60_bar__plus_96_dot_58)
    (coolable Mug_bar__plus_27_dot_60_bar__plus_96_dot_58)
    (sliceable Mug_bar__plus_27_dot_60_bar__plus_96_dot_58)
    (toggleable Mug_bar__plus_27_dot_60_bar__plus_96_dot_58)
    (isSliced Mug_bar__plus_27_dot_60_bar__plus_96_dot_58))
(:goal (and (exists (?r - receptacle) (exists (?o - object) (and (inReceptacle ?o ?r) (objectType ?o DeskLampType) (receptacleType ?r BathtubBasinType) (isClean ?o)))))))
