(define (problem strange_3)
(:domain alfred)
(:objects
    agent1 - agent
    loc_bar_0_bar_5 - location
    loc_bar_minus_1_bar_5 - location
    loc_bar_2_bar_4 - location
    SideTable_bar__plus_75_dot_74_bar__plus_90_dot_78 - receptacle
    Fridge_bar__plus_05_dot_55_bar__minus_98_dot_43 - receptacle
    Microwave_bar__minus_14_dot_37_bar__plus_22_dot_67 - receptacle
    Sink_bar__minus_83_dot_07_bar__minus_16_dot_02_bar_SinkBasin - receptacle
    Egg_bar__minus_59_dot_27_bar__minus_29_dot_67 - object
    Cloth - object
    Curtains_bar__plus_06_dot_07_bar__plus_59_dot_22 - object
    Bowl_bar__plus_97_dot_12_bar__plus_02_dot_40 - object
    FloorLamp_bar__plus_43_dot_11_bar__plus_31_dot_27 - object
    Mug_bar__plus_06_dot_87_bar__plus_98_dot_79 - object
    Potato_bar__plus_39_dot_40_bar__minus_73_dot_72 - object
    Apple_bar__minus_49_dot_35_bar__minus_26_dot_55 - object
    Knife_bar__plus_88_dot_61_bar__minus_31_dot_47 - object
    AppleType - otype
    BowlType - otype
    ClothType - otype
    CurtainsType - otype
    DeskLampType - otype
    EggType - otype
    FloorLampType - otype
    KnifeType - otype
    MugType - otype
    PotatoType - otype
    FridgeType - rtype
    MicrowaveType - rtype
    SideTableType - rtype
    SinkBasinType - rtype
    Window - object)
(:init
    (atLocation agent1 loc_bar_2_bar_4)
    (canContain FridgeType AppleType)
    (canContain FridgeType BowlType)
    (canContain FridgeType ClothType)
    (canContain FridgeType CurtainsType)
    (canContain FridgeType DeskLampType)
    (canContain FridgeType EggType)
    (canContain FridgeType FloorLampType)
    (canContain FridgeType KnifeType)
    (canContain FridgeType MugType)
    (canContain FridgeType PotatoType)
    (canContain MicrowaveType AppleType)
    (canContain MicrowaveType BowlType)
    (canContain MicrowaveType ClothType)
    (canContain MicrowaveType CurtainsType)
    (canContain MicrowaveType FloorLampType)
    (canContain MicrowaveType KnifeType)
    (canContain MicrowaveType MugType)
    (canContain MicrowaveType PotatoType)
    (canContain SideTableType AppleType)
    (canContain SideTableType BowlType)
    (canContain SideTableType CurtainsType)
    (canContain SideTableType DeskLampType)
    (canContain SideTableType EggType)
    (canContain SideTableType FloorLampType)
    (canContain SideTableType KnifeType)
    (canContain SideTableType MugType)
    (canContain SinkBasinType AppleType)
    (canContain SinkBasinType BowlType)
    (canContain SinkBasinType CurtainsType)
    (canContain SinkBasinType DeskLampType)
    (canContain SinkBasinType EggType)
    (canContain SinkBasinType FloorLampType)
    (canContain SinkBasinType KnifeType)
    (canContain SinkBasinType MugType)
    (receptacleAtLocation SideTable_bar__plus_75_dot_74_bar__plus_90_dot_78 loc_bar_0_bar_5)
    (receptacleType SideTable_bar__plus_75_dot_74_bar__plus_90_dot_78 SideTableType)
    (opened SideTable_bar__plus_75_dot_74_bar__plus_90_dot_78)
    (receptacleAtLocation Fridge_bar__plus_05_dot_55_bar__minus_98_dot_43 loc_bar_0_bar_5)
    (receptacleType Fridge_bar__plus_05_dot_55_bar__minus_98_dot_43 FridgeType)
    (openable Fridge_bar__plus_05_dot_55_bar__minus_98_dot_43)
    (receptacleAtLocation Microwave_bar__minus_14_dot_37_bar__plus_22_dot_67 loc_bar_minus_1_bar_5)
    (receptacleType Microwave_bar__minus_14_dot_37_bar__plus_22_dot_67 MicrowaveType)
    (openable Microwave_bar__minus_14_dot_37_bar__plus_22_dot_67)
    (receptacleAtLocation Sink_bar__minus_83_dot_07_bar__minus_16_dot_02_bar_SinkBasin loc_bar_0_bar_5)
    (receptacleType Sink_bar__minus_83_dot_07_bar__minus_16_dot_02_bar_SinkBasin SinkBasinType)
    (opened Sink_bar__minus_83_dot_07_bar__minus_16_dot_02_bar_SinkBasin)
    (objectType Egg_bar__minus_59_dot_27_bar__minus_29_dot_67 EggType)
    (inReceptacle Egg_bar__minus_59_dot_27_bar__minus_29_dot_67 Microwave_bar__minus_14_dot_37_bar__plus_22_dot_67)
    (objectAtLocation Egg_bar__minus_59_dot_27_bar__minus_29_dot_67 loc_bar_0_bar_5)
    (pickupable Egg_bar__minus_59_dot_27_bar__minus_29_dot_67)
    (heatable Egg_bar__minus_59_dot_27_bar__minus_29_dot_67)
    (coolable Egg_bar__minus_59_dot_27_bar__minus_29_dot_67)
    (toggleable Egg_bar__minus_59_dot_27_bar__minus_29_dot_67)
    (objectType Cloth ClothType)
    (inReceptacle Cloth Sink_bar__minus_83_dot_07_bar__minus_16_dot_02_bar_SinkBasin)
    (objectAtLocation Cloth loc_bar_2_bar_4)
    (pickupable Cloth)
    (cleanable Cloth)
    (heatable Cloth)
    (coolable Cloth)
    (sliceable Cloth)
    (toggleable Cloth)
    (objectType Curtains_bar__plus_06_dot_07_bar__plus_59_dot_22 CurtainsType)
    (inReceptacle Curtains_bar__plus_06_dot_07_bar__plus_59_dot_22 SideTable_bar__plus_75_dot_74_bar__plus_90_dot_78)
    (inReceptacle Curtains_bar__plus_06_dot_07_bar__plus_59_dot_22 Microwave_bar__minus_14_dot_37_bar__plus_22_dot_67)
    (objectAtLocation Curtains_bar__plus_06_dot_07_bar__plus_59_dot_22 loc_bar_2_bar_4)
    (pickupable Curtains_bar__plus_06_dot_07_bar__plus_59_dot_22)
    (cleanable Curtains_bar__plus_06_dot_07_bar__plus_59_dot_22)
    (heatable Curtains_bar__plus_06_dot_07_bar__plus_59_dot_22)
    (coolable Curtains_bar__plus_06_dot_07_bar__plus_59_dot_22)
    (sliceable Curtains_bar__plus_06_dot_07_bar__plus_59_dot_22)
    (toggleable Curtains_bar__plus_06_dot_07_bar__plus_59_dot_22)
    (objectType Bowl_bar__plus_97_dot_12_bar__plus_02_dot_40 BowlType)
    (inReceptacle Bowl_bar__plus_97_dot_12_bar__plus_02_dot_40 SideTable_bar__plus_75_dot_74_bar__plus_90_dot_78)
    (inReceptacle Bowl_bar__plus_97_dot_12_bar__plus_02_dot_40 Sink_bar__minus_83_dot_07_bar__minus_16_dot_02_bar_SinkBasin)
    (objectAtLocation Bowl_bar__plus_97_dot_12_bar__plus_02_dot_40 loc_bar_2_bar_4)
    (pickupable Bowl_bar__plus_97_dot_12_bar__plus_02_dot_40)
    (heatable Bowl_bar__plus_97_dot_12_bar__plus_02_dot_40)
    (coolable Bowl_bar__plus_97_dot_12_bar__plus_02_dot_40)
    (sliceable Bowl_bar__plus_97_dot_12_bar__plus_02_dot_40)
    (toggleable Bowl_bar__plus_97_dot_12_bar__plus_02_dot_40)
    (isCool Bowl_bar__plus_97_dot_12_bar__plus_02_dot_40)
    (isReceptacleObject Bowl_bar__plus_97_dot_12_bar__plus_02_dot_40)
    (inReceptacleObject Mug_bar__plus_06_dot_87_bar__plus_98_dot_79 Bowl_bar__plus_97_dot_12_bar__plus_02_dot_40)
    (inReceptacleObject Apple_bar__minus_49_dot_35_bar__minus_26_dot_55 Bowl_bar__plus_97_dot_12_bar__plus_02_dot_40)
    (objectType FloorLamp_bar__plus_43_dot_11_bar__plus_31_dot_27 FloorLampType)
    (inReceptacle FloorLamp_bar__plus_43_dot_11_bar__plus_31_dot_27 Sink_bar__minus_83_dot_07_bar__minus_16_dot_02_bar_SinkBasin)
    (pickupable FloorLamp_bar__plus_43_dot_11_bar__plus_31_dot_27)
    (heatable FloorLamp_bar__plus_43_dot_11_bar__plus_31_dot_27)
    (toggleable FloorLamp_bar__plus_43_dot_11_bar__plus_31_dot_27)
    (objectType Mug_bar__plus_06_dot_87_bar__plus_98_dot_79 MugType)
    (inReceptacle Mug_bar__plus_06_dot_87_bar__plus_98_dot_79 Fridge_bar__plus_05_dot_55_bar__minus_98_dot_43)
    (inReceptacle Mug_bar__plus_06_dot_87_bar__plus_98_dot_79 SideTable_bar__plus_75_dot_74_bar__plus_90_dot_78)
    (objectAtLocation Mug_bar__plus_06_dot_87_bar__plus_98_dot_79 loc_bar_minus_1_bar_5)
    (objectAtLocation Mug_bar__plus_06_dot_87_bar__plus_98_dot_79 loc_bar_2_bar_4)
    (pickupable Mug_bar__plus_06_dot_87_bar__plus_98_dot_79)
    (heatable Mug_bar__plus_06_dot_87_bar__plus_98_dot_79)
    (coolable Mug_bar__plus_06_dot_87_bar__plus_98_dot_79)
    (sliceable Mug_bar__plus_06_dot_87_bar__plus_98_dot_79)
    (isSliced Mug_bar__plus_06_dot_87_bar__plus_98_dot_79)
    (objectType Potato_bar__plus_39_dot_40_bar__minus_73_dot_72 PotatoType)
    (objectAtLocation Potato_bar__plus_39_dot_40_bar__minus_73_dot_72 loc_bar_minus_1_bar_5)
    (pickupable Potato_bar__plus_39_dot_40_bar__minus_73_dot_72)
    (cleanable Potato_bar__plus_39_dot_40_bar__minus_73_dot_72)
    (heatable Potato_bar__plus_39_dot_40_bar__minus_73_dot_72)
    (coolable Potato_bar__plus_39_dot_40_bar__minus_73_dot_72)
    (sliceable Potato_bar__plus_39_dot_40_bar__minus_73_dot_72)
    (objectType Apple_bar__minus_49_dot_35_bar__minus_26_dot_55 AppleType)
    (inReceptacle Apple_bar__minus_49_dot_35_bar__minus_26_dot_55 SideTable_bar__plus_75_dot_74_bar__plus_90_dot_78)
    (objectAtLocation Apple_bar__minus_49_dot_35_bar__minus_26_dot_55 loc_bar_0_bar_5)
    (objectType Knife_bar__plus_88_dot_61_bar__minus_31_dot_47 KnifeType)
    (inReceptacle Knife_bar__plus_88_dot_61_bar__minus_31_dot_47 SideTable_bar__plus_75_dot_74_bar__plus_90_dot_78)
    (inReceptacle Knife_bar__plus_88_dot_61_bar__minus_31_dot_47 Microwave_bar__minus_14_dot_37_bar__plus_22_dot_67)
    (inReceptacle Knife_bar__plus_88_dot_61_bar__minus_31_dot_47 Fridge_bar__plus_05_dot_55_bar__minus_98_dot_43)
    (objectAtLocation Knife_bar__plus_88_dot_61_bar__minus_31_dot_47 loc_bar_0_bar_5)
    (pickupable Knife_bar__plus_88_dot_61_bar__minus_31_dot_47)
    (cleanable Knife_bar__plus_88_dot_61_bar__minus_31_dot_47)
    (heatable Knife_bar__plus_88_dot_61_bar__minus_31_dot_47)
    (coolable Knife_bar__plus_88_dot_61_bar__minus_31_dot_47)
    (sliceable Knife_bar__plus_88_dot_61_bar__minus_31_dot_47)
    (toggleable Knife_bar__plus_88_dot_61_bar__minus_31_dot_47))
(:goal (and (exists (?r - receptacle) (exists (?o - object) (and (inReceptacle ?o ?r) (objectType ?o ClothType) (receptacleType ?r MicrowaveType)))))))
